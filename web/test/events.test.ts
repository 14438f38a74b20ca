import { expect, it } from "vitest";
import { EventParser, eventsOf } from "../src/events";

it("reads events that arrive in pieces", () => {
  const parser = new EventParser();
  expect(parser.push("event: progress\nda")).toEqual([]);
  expect(parser.push('ta: {"a":1}\n\n: still here\n\nevent: done\n')).toEqual([
    { event: "progress", data: '{"a":1}' },
  ]);
  expect(parser.push("data: one\ndata: two\n\n")).toEqual([{ event: "done", data: "one\ntwo" }]);
});

it("reads a stream to its end", async () => {
  const found = [];
  for await (const each of eventsOf(new Response("data: é\r\n\r\ndata:x\n\n"))) found.push(each);
  expect(found).toEqual([
    { event: "message", data: "é" },
    { event: "message", data: "x" },
  ]);
});

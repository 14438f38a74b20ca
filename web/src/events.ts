/** Server-sent events read from a fetch: EventSource cannot send the key in a header. */

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Takes text in pieces and gives the events that are complete. */
export class EventParser {
  private rest = "";

  push(piece: string): ServerEvent[] {
    const blocks = (this.rest + piece).replace(/\r\n/g, "\n").split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.map(parsed).filter((each) => each !== null);
  }
}

function parsed(block: string): ServerEvent | null {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const [, name, value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === "event") event = value;
    if (name === "data") data.push(value);
  }
  return data.length ? { event, data: data.join("\n") } : null;
}

/** The events of a response, until it ends. */
export async function* eventsOf(response: Response): AsyncGenerator<ServerEvent> {
  if (!response.body) return;
  const parser = new EventParser();
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield* parser.push(decoder.decode(value, { stream: true }));
  }
}

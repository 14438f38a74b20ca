import { render } from "preact";
import { App } from "./App";
import { takeKey } from "./client";
import { start } from "./start";
import "./style/tokens.css";
import "./style/base.css";
import "./style/layout.css";
import "./style/parts.css";
import "./style/steps.css";

const key = takeKey();
render(<App hasKey={key !== null} />, document.getElementById("app")!);
if (key !== null) void start();

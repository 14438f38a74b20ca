import { render } from "preact";
import { App } from "./App";
import { takeKey } from "./client";
import { start } from "./start";
import { watchOthers } from "./watch";
import "./style/tokens.css";
import "./style/base.css";
import "./style/layout.css";
import "./style/parts.css";
import "./style/steps.css";
import "./style/propose.css";
import "./style/explore.css";
import "./style/variables.css";
import "./style/help.css";
import "./style/several.css";
import "./style/guide.css";

const key = takeKey();
render(<App hasKey={key !== null} />, document.getElementById("app")!);
if (key !== null) {
  void start();
  watchOthers();
}

// Approve what the stage draws and what the pages do now: `npm run approve`.
import { approve } from "./baseline.js";
import { everything as drawn } from "./drawn.js";
import { everything as acted } from "./reader.js";

for (const [kind, all] of Object.entries({ drawn, acted })) {
  const texts = await all();
  approve(kind, texts);
  console.log(`${texts.size} files are approved in tests/js/${kind}: read their difference before you commit it.`);
}
process.exit(); // charts still wait for Plotly

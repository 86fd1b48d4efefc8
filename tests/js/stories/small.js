// Small components: the strip of worlds, the theme of a link, the card of keys, what keys do everywhere.
import theme from "../../../assets/player/theme.js";
import { card } from "../../../assets/shared/card.js";
import { everywhere } from "../../../assets/shared/everywhere.js";
import mountStrip from "../../../assets/strip/strip.js";
import { act, click, hears, keys, open } from "../reader.js";

const dot = (world, more) => ({
  x: world / 10,
  row: 0,
  world,
  title: `world ${world}`,
  holds: true,
  here: false,
  ...more,
});
const STRIP = { here: "here", broken: "#c00", label: "worlds", limit: [0.5, "limit"] };
function strip(says, of) {
  const body = open('<div class="strip"></div>');
  const data = { says, strip: of };
  act("it is mounted", () => mountStrip({ parentElement: body, data, setTriggerValue: hears("asks for") }));
}

export const stories = {
  "a strip counts, marks and opens worlds": () => {
    strip("It holds in **90** of 100", { ...STRIP, dots: [dot(3), dot(7, { holds: false }), dot(9, { here: true })] });
    keys("ArrowLeft Enter Home ArrowLeft", ".worlds");
    click(document.querySelectorAll("[role=option]")[2]);
  },
  "a strip without dots stands alone": () => strip("In **1**", null),
  "a theme reloads only another's page": () => {
    const [dark, light] = ["rgb(14, 17, 23)", "rgb(255, 255, 255)"];
    for (const [asked, background, search = ""] of [
      ["dark", dark],
      ["light", light],
      ["dark", light],
      ["dark", light, "?embed_options=dark_theme"],
      ["light", dark, "?embed_options=dark_theme&embed_options=x"],
    ]) {
      open("", { address: `http://lab.test/Bands${search}` });
      document.body.style.background = background;
      act(`${asked} is asked for on ${background}`, () =>
        theme({ data: { theme: asked }, setStateValue: hears("says") }),
      );
    }
  },
  "the card names every key, and closes": () => {
    open();
    for (const words of ["the card opens", "it closes"]) act(words, card);
  },
  "the black sheet comes and goes": () => {
    open();
    for (const words of ["black", "as before"]) act(words, everywhere.blank);
  },
  "a digit presses the moment of its place": () => {
    const body = open('<div class="st-key-moment"><button>a</button><button>b</button></div>');
    for (const one of body.querySelectorAll("button")) one.onclick = hears(`presses ${one.textContent}`);
    for (const key of ["2", "1", "3"]) act(`key ${key}`, () => everywhere.moment({ key }));
  },
};

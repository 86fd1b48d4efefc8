// What a page of the server draws its stage with: one script for charts, player and sentence.
import { hearFingers } from "../player/fingers.js";
import { Follower } from "../player/follow.js";
import mountLive from "../player/live.js";
import { Player } from "../player/player.js";
import { putUp } from "./chart.js";
import { addressOf, filmOf } from "./films.js";
import { filmIn, headOf } from "./message.js";

export const mountChart = ({ parentElement, data }) =>
  putUp(parentElement.querySelector(".chart"), headOf(data), () => filmIn(data));

export function mountServed({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".player");
  hearFingers();
  root.player ??= new Player(root, { Follower, addressOf, filmOf });
  if (root.player.sent !== data) root.player.load(headOf(data), () => filmIn(data), setStateValue);
  root.player.sent = data;
  return () => {
    root.player?.end();
    root.player = null;
  };
}
export { mountLive };

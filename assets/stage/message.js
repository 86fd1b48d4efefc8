// Messages of Python (shell/stage/player.py): the length of a text (four bytes), the text (JSON), and a film (gzip) or nothing.
import { decode } from "./decode.js";

const length = (bytes) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);

// The text of a message.
export const headOf = (bytes) => JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length(bytes))));

// Its film.
export const filmIn = async (bytes) => decode(await unzipped(bytes.subarray(4 + length(bytes))));

export const unzipped = (bytes) =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();

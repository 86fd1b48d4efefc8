// A film of one chart as WebM or MP4, with the pictures and the times of its GIF: the browser encodes them (WebCodecs,
// which it has on https and on its own machine alone), and mediabunny makes the file.
import { durations, gif, painter, SIZE } from "./animation.js";

const BITRATE = 4_000_000, // thin lines stay sharp, and seventeen seconds stay below nine megabytes
  RATE = 30, // pictures a second that the encoder is made for; the fastest film has seventeen
  MILLI = 1000;
const CODECS = {
  webm: { codec: "vp9", fullCodecString: "vp09.00.31.08" },
  mp4: { codec: "avc", fullCodecString: "avc1.640028" },
};

// Whether this browser writes such a video.
export async function writes(kind) {
  const codec = CODECS[kind].fullCodecString;
  const asked = { codec, ...SIZE, bitrate: BITRATE, framerate: RATE };
  const answer = await globalThis.VideoEncoder?.isConfigSupported(asked).catch(() => null);
  return !!answer?.supported;
}

// The bytes of a reel as a file of this kind; `way` has the encoder that the kind takes.
export const written = (made, kind, way) => (kind === "gif" ? gif(made, way) : video(made, kind, way));

// The bytes of the video. `encoder` is mediabunny.
async function video({ frames, pictureAt }, kind, { encoder, ...way }) {
  const { BufferTarget, CanvasSource, Mp4OutputFormat, Output, WebMOutputFormat } = encoder;
  const { canvas, show } = painter(pictureAt, frames.length, way),
    stand = durations(frames);
  const source = new CanvasSource(canvas, { ...CODECS[kind], bitrate: BITRATE }),
    target = new BufferTarget(),
    output = new Output({ format: kind === "mp4" ? new Mp4OutputFormat() : new WebMOutputFormat(), target });
  output.addVideoTrack(source);
  await output.start();
  try {
    let at = 0;
    for (const [i, t] of frames.entries()) {
      await show(t);
      await source.add(at / MILLI, stand[i] / MILLI);
      at += stand[i];
    }
    await output.finalize();
  } catch (problem) {
    await output.cancel();
    throw problem;
  }
  return target.buffer;
}

// The theme of a link. Streamlit reads its own word for it (embed_options) before the first pixel, so the page is
// opened once more with that word; nothing is stored in the browser. Python waits until it hears "stay".
export default function ({ data, setStateValue }) {
  const word = `${data.theme}_theme`,
    url = new URL(window.location.href);
  const said = url.searchParams.getAll("embed_options");
  const shown = getComputedStyle(document.querySelector("[data-testid=stApp]") ?? document.body).backgroundColor;
  const [r, g, b] = (shown.match(/[\d.]+/g) ?? [255, 255, 255]).map(Number);
  const dark = 0.2126 * r + 0.7152 * g + 0.0722 * b < 128;
  if (said.includes(word) || dark === (data.theme === "dark")) return setStateValue("stay", true);
  url.searchParams.delete("embed_options");
  for (const option of [...said.filter((o) => !o.endsWith("_theme")), word])
    url.searchParams.append("embed_options", option);
  window.location.replace(url);
}

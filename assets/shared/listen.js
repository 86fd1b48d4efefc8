// Hear events of a target: `acts` holds what each event does. Returns what ends it.
export function listen(target, acts, options) {
  for (const [event, act] of Object.entries(acts)) target.addEventListener(event, act, options);
  return () => {
    for (const [event, act] of Object.entries(acts)) target.removeEventListener(event, act, options);
  };
}

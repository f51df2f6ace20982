// Everything below U+0020 but the space, DEL, and the line and paragraph separators.
// eslint-disable-next-line no-control-regex -- these are what is taken out
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** A text that somebody typed, as one line of at most `most` characters. */
export function oneLine(text: string, most = 200): string {
  const line = text.replace(CONTROLS, ' ').replace(/ {2,}/g, ' ').trim();
  const signs = [...line];
  return signs.length <= most ? line : `${signs.slice(0, most - 1).join('')}…`;
}

/**
 * Removes the characters at the end of a text that match. A pattern such as `/\s+$/` does the same, but tries every position of
 * the text, which takes seconds for a hundred thousand spaces.
 * @param sign matches one character
 */
export function withoutEnd(text: string, sign: RegExp): string {
  let end = text.length;
  while (end > 0 && sign.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

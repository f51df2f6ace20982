/** The header that has a file saved under a name instead of shown; other than plain letters as RFC 6266 wants them. */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const isPlain = plain === fileName;
  return `attachment; filename="${plain}"${isPlain ? '' : `; filename*=UTF-8''${encodeName(fileName)}`}`;
}

/** RFC 8187: what `encodeURIComponent` leaves alone but that rule does not. */
function encodeName(fileName: string): string {
  return encodeURIComponent(fileName).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

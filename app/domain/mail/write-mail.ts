import type { Letter, MailText, Site } from './letter.ts';
import { oneLine } from './plain-text.ts';
import { writeHtml } from './write-html.ts';
import { writeText } from './write-text.ts';

/** Writes a letter out, as text and as HTML. */
export function writeLetter(letter: Letter, site: Site): MailText {
  return {
    subject: oneLine(letter.subject),
    text: writeText(letter, site),
    html: writeHtml(letter, site),
  };
}

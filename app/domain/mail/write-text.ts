import type { Block, Letter, Site } from './letter.ts';

function block(part: Block): string {
  if (typeof part === 'string') return part;
  if (part.kind === 'link') return `${part.label}:\n${part.url}`;
  return part.rows.map(([label, value]) => `${label}: ${value}`).join('\n');
}

/** The letter as plain text: the same words as in HTML, links on lines of their own. */
export function writeText({ blocks, reason }: Letter, { appUrl }: Site): string {
  return [...blocks.map(block), `-- \nVialbook, ${appUrl}\n${reason}`].join('\n\n').concat('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

/** Tags that do not separate words. */
const INLINE = /<\/?(span|a|b|strong|em|i|time|abbr|small|wbr)\b[^>]*>/g;

/** A page's visible text, without tags and scripts, with collapsed whitespace. */
export function visibleText(html: string): string {
  const body = html.replace(/<(script|style|template)\b[\s\S]*?<\/\1>/g, ' ').replace(/<!--[\s\S]*?-->/g, '');
  return decode(body.replace(INLINE, '').replace(/<[^>]+>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

/** The same without the blanks that the removed tags left. */
export function compactText(html: string): string {
  return visibleText(html).replace(/\s+/g, '');
}

/** The attributes of the first control with this name. */
export function control(html: string, name: string): Readonly<Record<string, string>> | null {
  const tag = html.match(new RegExp(`<(?:input|select|textarea)\\b[^>]*\\bname="${name}"[^>]*>`))?.[0];
  if (!tag) return null;
  const attributes = [...tag.matchAll(/([a-z-]+)(?:="([^"]*)")?/gi)].slice(1);
  return Object.fromEntries(attributes.map(([, key = '', value = '']) => [key.toLowerCase(), decode(value)]));
}

/** The value of a field; null when it is empty or absent. */
export function fieldValue(html: string, name: string): string | null {
  const area = html.match(new RegExp(`<textarea\\b[^>]*\\bname="${name}"[^>]*>([\\s\\S]*?)</textarea>`))?.[1];
  if (area !== undefined) return decode(area);
  return control(html, name)?.['value'] ?? null;
}

/** The message tied to a field by `aria-describedby`; null when there is none. */
export function fieldError(html: string, name: string): string | null {
  const field = control(html, name);
  const described = field?.['aria-describedby']?.split(' ') ?? [];
  const id = described.find((candidate) => candidate.endsWith('-error'));
  if (!id || field?.['aria-invalid'] !== 'true') return null;
  const message = html.match(new RegExp(`<p id="${id}"[^>]*>([\\s\\S]*?)</p>`))?.[1];
  return message === undefined ? null : visibleText(message);
}

/** The messages about the form as a whole. */
export function alerts(html: string): string[] {
  return [...html.matchAll(/<div[^>]*\brole="alert"[^>]*>([\s\S]*?)<\/div>/g)].map(([, inner = '']) =>
    visibleText(inner),
  );
}

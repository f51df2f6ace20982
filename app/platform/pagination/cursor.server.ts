import type * as z from 'zod';

/** Where a list goes on, as text for a link. It holds nothing that its reader does not see anyway. */
export function encodeCursor(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The parts of a link's cursor; null when there is none, or it cannot be read. */
export function decodeCursor<T>(text: string | undefined, shape: z.ZodType<T>): T | null {
  if (text === undefined) return null;
  try {
    const parsed = shape.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

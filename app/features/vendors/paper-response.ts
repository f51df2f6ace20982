import { attachment } from '#app/platform/http/attachment.ts';

interface Paper {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

/** A paper as an answer that is saved, not shown, kept nowhere, and may run nothing (every answer is nosniff already). */
export function paperResponse({ fileName, contentType, bytes }: Paper): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': contentType,
      'Content-Length': String(bytes.length),
      'Content-Disposition': attachment(fileName),
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  });
}

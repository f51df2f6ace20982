/** A picture as an answer that is kept nowhere and can be nothing but a picture (every answer is nosniff already). */
export function pictureResponse({ bytes, contentType }: { bytes: Buffer; contentType: string }): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': contentType,
      'Content-Length': String(bytes.length),
      'Content-Disposition': `inline; filename="picture.${contentType.split('/')[1] ?? 'bin'}"`,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  });
}

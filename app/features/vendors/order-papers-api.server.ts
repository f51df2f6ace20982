import { Readable } from 'node:stream';
import * as z from 'zod';
import { addOrderPaper, deleteOrderPaper, readOrderPaper } from './order-papers.server.ts';
import { FileReply, operation, Reply } from '#app/platform/api/operation.ts';
import { idParams } from '#app/platform/api/shapes.ts';
import { EXAMPLE_PAPER, paperShape } from './vendor-shape.ts';

const tag = 'Vendors';

const paperParams = z.object({ ...idParams.shape, paperId: z.string().min(1).max(200) });

export const addOrderPaperCall = operation({
  id: 'addOrderPaper',
  method: 'POST',
  path: '/api/orders/{id}/papers',
  tag,
  summary: 'Add a certificate of analysis or another paper to an order',
  description: 'A PDF is kept as it is, a picture made anew from its pixels. At most 10 each, 200 in all.',
  access: 'premium',
  creates: true,
  errors: ['CONFLICT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  upload: { field: 'paper', description: 'PDF, JPEG, PNG or WebP, at most 5 MB' },
  params: idParams,
  response: z.object({ paper: paperShape }),
  example: { data: { paper: EXAMPLE_PAPER } },
  async run(ctx, { params, file }) {
    const sent = file ?? new File([], '');
    const bytes = new Uint8Array(await sent.arrayBuffer());
    return { paper: await addOrderPaper(ctx, params.id, { fileName: sent.name, bytes }) };
  },
});

export const getOrderPaperCall = operation({
  id: 'getOrderPaper',
  method: 'GET',
  path: '/api/orders/{id}/papers/{paperId}',
  tag,
  summary: 'A paper of an order',
  access: 'premium',
  params: paperParams,
  files: ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'],
  example: {},
  async run(ctx, { params }) {
    const { bytes, contentType, fileName } = await readOrderPaper(ctx, params.id, params.paperId);
    return new FileReply(contentType, fileName, () => Readable.from([bytes]));
  },
});

export const deleteOrderPaperCall = operation({
  id: 'deleteOrderPaper',
  method: 'DELETE',
  path: '/api/orders/{id}/papers/{paperId}',
  tag,
  summary: 'Delete a paper of an order',
  access: 'premium',
  params: paperParams,
  response: z.object({}),
  example: { data: {} },
  async run(ctx, { params }) {
    await deleteOrderPaper(ctx, params.id, params.paperId);
    return new Reply({}, { message: 'Paper deleted' });
  },
});

export const orderPaperOperations = [addOrderPaperCall, getOrderPaperCall, deleteOrderPaperCall];

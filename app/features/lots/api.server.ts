import { DOSE_UNITS } from '#app/domain/calculator/calculation.ts';
import { Readable } from 'node:stream';
import * as z from 'zod';
import { DOSE_STATUSES } from '#app/domain/doses/dose.ts';
import { lotChangesSchema, lotDetails, lotSchema } from '#app/domain/lots/lot-schema.ts';
import { lotView } from '#app/domain/lots/lot-view.ts';
import { recalledDoseView } from '#app/domain/lots/recalled-dose.ts';
import { authoriseUser } from '#app/platform/access/authorise.server.ts';
import { FileReply, operation, Reply } from '#app/platform/api/operation.ts';
import {
  day,
  idParams,
  instant,
  named,
  pageQuery,
  cursorPageShape,
  cursorQuery,
  textShapes,
} from '#app/platform/api/shapes.ts';
import {
  addLot,
  addLotDocument,
  deleteLot,
  deleteLotDocument,
  getLot,
  listLots,
  readLotDocument,
  updateLot,
  type LotWithVials,
} from './lots.server.ts';
import { findRecall, recalledDoses } from './recall.server.ts';

const tag = 'Lots';

/** A document of a lot in a response. */
const lotDocumentShape = named(
  'LotPaper',
  z.object({
    id: z.string(),
    fileName: z.string(),
    contentType: z.string(),
    bytes: z.int(),
    addedAt: instant,
  }),
);

/** A lot in a response. */
const lotShape = named(
  'Lot',
  z.object({
    id: z.string(),
    number: z.string().describe('As printed on the vials'),
    product: z.string().describe('Name of the compound'),
    ...textShapes(lotDetails),
    supplierId: z.string().nullable(),
    supplierName: z.string().nullable(),
    expirationDate: day.nullable().describe('Last day to use sealed vials'),
    purityPercent: z.number().nullable().describe('Share of the peptide mass that is the named peptide'),
    netContentMg: z.number().nullable().describe('mg of peptide measured in one vial'),
    identityMethod: z.string().nullable().describe('How identity was tested, such as LC-MS'),
    testedOn: day.nullable(),
    orderId: z.string().nullable().describe('The order it came with'),
    papers: z.array(lotDocumentShape),
    vials: z.array(z.object({ id: z.string(), remainingAmount: z.number(), totalAmount: z.number() })),
    totalAmount: z.number().describe('mg in all its vials when full'),
    remainingAmount: z.number().describe('mg left in them'),
    createdAt: instant,
  }),
);

const lotAnswer = ({ lot, vials }: LotWithVials): z.input<typeof lotShape> => lotView(lot, vials);

const EXAMPLE_LOT = {
  id: 'lot_6740f1a29c1b2d3e4f506173',
  number: 'L-2207',
  product: 'BPC-157',
  supplierId: null,
  supplierName: null,
  expirationDate: '2028-05-31',
  purityPercent: 99.1,
  netContentMg: 5.12,
  identityMethod: 'LC-MS',
  laboratory: 'Example Laboratory',
  testedOn: '2026-09-14',
  reportKey: 'AB12CD34',
  reportUrl: null,
  notes: null,
  orderId: null,
  papers: [],
  vials: [{ id: 'vial_6740f1a29c1b2d3e4f506172', remainingAmount: 4.75, totalAmount: 5 }],
  totalAmount: 5,
  remainingAmount: 4.75,
  createdAt: '2026-11-20T08:00:00.000Z',
};

const one = z.object({ lot: lotShape });
const oneExample = { data: { lot: EXAMPLE_LOT } };

const listLotsCall = operation({
  id: 'listLots',
  method: 'GET',
  path: '/api/lots',
  tag,
  summary: 'Your lots, with their certificates and remaining amounts',
  description: 'Newest first. A lot is created for each lot number on a vial or a received order.',
  access: 'user',
  isList: true,
  query: z.object({ ...pageQuery(), ...cursorQuery }),
  response: z.object({ lots: z.array(lotShape), ...cursorPageShape }),
  example: { data: { lots: [EXAMPLE_LOT], page: 1, limit: 20, total: 1, next: null } },
  async run(ctx, { query }) {
    const { lots, paging } = await listLots(ctx, query);
    return { lots: lots.map(lotAnswer), ...paging };
  },
});

const getLotCall = operation({
  id: 'getLot',
  method: 'GET',
  path: '/api/lots/{id}',
  tag,
  summary: 'One lot',
  description: 'Includes its certificate, documents and vials.',
  access: 'user',
  params: idParams,
  response: one,
  example: oneExample,
  run: async (ctx, { params }) => ({ lot: lotAnswer(await getLot(ctx, params.id)) }),
});

const addLotCall = operation({
  id: 'addLot',
  method: 'POST',
  path: '/api/lots',
  tag,
  summary: 'Add a lot',
  description:
    'No two lots can have the same number, compound and supplier. Vials added later with this number belong to it.',
  access: 'user',
  creates: '/api/lots/{lot.id}',
  body: lotSchema,
  response: one,
  errors: ['PLAN_LIMIT', 'ALREADY_EXISTS'],
  example: {
    body: {
      number: 'L-2207',
      product: 'BPC-157',
      purityPercent: 99.1,
      netContentMg: 5.12,
      identityMethod: 'LC-MS',
    },
    ...oneExample,
  },
  run: async (ctx, { body }) => ({ lot: lotAnswer(await addLot(ctx, body)) }),
});

const changeLotCall = operation({
  id: 'changeLot',
  method: 'PUT',
  path: '/api/lots/{id}',
  tag,
  summary: 'Change a lot',
  description: 'Only the fields you send change; null clears a value. A new number is copied to its vials.',
  access: 'user',
  params: idParams,
  body: lotChangesSchema,
  response: one,
  errors: ['ALREADY_EXISTS'],
  example: { body: { netContentMg: 5.12 }, ...oneExample },
  run: async (ctx, { params, body }) => ({
    lot: lotAnswer(await updateLot(ctx, params.id, body)),
  }),
});

const deleteLotCall = operation({
  id: 'deleteLot',
  method: 'DELETE',
  path: '/api/lots/{id}',
  tag,
  summary: 'Delete a lot with its documents',
  description: 'A lot that has vials cannot be deleted.',
  access: 'user',
  params: idParams,
  response: z.object({}),
  errors: ['WRONG_STATE'],
  example: { data: {} },
  async run(ctx, { params }) {
    await deleteLot(ctx, params.id);
    return new Reply({}, { message: 'Lot deleted' });
  },
});

/** A dose that came from a lot. */
const lotDoseShape = named(
  'LotDose',
  z.object({
    id: z.string(),
    scheduleId: z.string().nullable(),
    name: z.string(),
    dueDate: instant,
    status: z.enum(DOSE_STATUSES),
    takenAt: instant.nullable(),
    doseAmount: z.number().describe('Planned, in doseUnit'),
    actualDose: z.number().nullable().describe('Taken, in doseUnit'),
    doseUnit: z.enum(DOSE_UNITS),
    lotMg: z
      .number()
      .describe('mg that came from the lot; for a blend, of the component that the dose counts'),
    lotComponents: z
      .array(z.object({ name: z.string(), mg: z.number() }))
      .describe('The same for each component; one entry for a single peptide'),
    doseOf: z.string().nullable().describe('For a blend: the component that the dose counts'),
    components: z
      .array(z.object({ name: z.string(), dose: z.number() }))
      .describe('Taken of each component from all vials, in doseUnit; one entry for a single peptide'),
    draws: z.array(z.object({ compoundId: z.string(), mg: z.number() })).describe('Amounts drawn from vials'),
    site: z.string().nullable(),
    notes: z.string().nullable(),
  }),
);

const EXAMPLE_DOSE = {
  id: 'dose_6f1b1c3e9a7d4b2f8e0c5a61',
  scheduleId: null,
  name: 'BPC-157',
  dueDate: '2026-11-22T08:00:00.000Z',
  status: 'taken' as const,
  takenAt: '2026-11-22T08:04:00.000Z',
  doseAmount: 250,
  actualDose: 250,
  doseUnit: 'mcg' as const,
  lotMg: 0.25,
  lotComponents: [{ name: 'BPC-157', mg: 0.25 }],
  doseOf: null,
  components: [{ name: 'BPC-157', dose: 250 }],
  draws: [{ compoundId: 'vial_6740f1a29c1b2d3e4f506172', mg: 0.25 }],
  site: null,
  notes: null,
};

const lotDosesCall = operation({
  id: 'listLotDoses',
  method: 'GET',
  path: '/api/lots/{lot}/doses',
  tag,
  summary: 'Which doses came from this lot',
  description:
    '`lot` is the id or the number of a lot; a number shared by several lots selects all of them. Lists every dose taken ' +
    'from their vials, including deleted vials, latest first. 404 if you have never had such a lot.',
  access: 'user',
  isList: true,
  params: z.object({ lot: z.string().min(1).max(200) }),
  query: z.object({ ...pageQuery(100), ...cursorQuery }),
  response: z.object({
    doses: z.array(lotDoseShape),
    lots: z.array(named('LotName', z.object({ id: z.string(), number: z.string(), product: z.string() }))),
    ...cursorPageShape,
  }),
  example: {
    params: { lot: 'L-2207' },
    data: {
      doses: [EXAMPLE_DOSE],
      lots: [{ id: EXAMPLE_LOT.id, number: EXAMPLE_LOT.number, product: EXAMPLE_LOT.product }],
      page: 1,
      limit: 100,
      total: 1,
      next: null,
    },
  },
  async run(ctx, { params, query }) {
    const { id } = authoriseUser(ctx.actor, 'vial.read');
    const recall = await findRecall(ctx, id, params.lot);
    const { doses, ...paging } = await recalledDoses(ctx, id, recall, query);
    return { doses: doses.map(recalledDoseView), lots: recall.lots, ...paging };
  },
});

const documentParams = z.object({ ...idParams.shape, paperId: z.string().min(1).max(200) });

const EXAMPLE_DOCUMENT = {
  id: 'paper_0123456789abcdef01234567',
  fileName: 'COA L-2207.pdf',
  contentType: 'application/pdf',
  bytes: 120_000,
  addedAt: '2026-11-20T08:00:00.000Z',
};

const addLotDocumentCall = operation({
  id: 'addLotPaper',
  method: 'POST',
  path: '/api/lots/{id}/papers',
  tag,
  summary: 'Add a certificate of analysis to a lot',
  description: 'PDFs are stored unchanged; pictures are re-encoded. At most 10 per lot and 200 in total.',
  access: 'premium',
  creates: '/api/lots/{id}/papers/{paper.id}',
  errors: ['LIMIT_REACHED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  upload: { field: 'paper', description: 'PDF, JPEG, PNG or WebP, at most 5 MB' },
  params: idParams,
  response: z.object({ paper: lotDocumentShape }),
  example: { data: { paper: EXAMPLE_DOCUMENT } },
  async run(ctx, { params, file }) {
    const sent = file ?? new File([], '');
    const bytes = new Uint8Array(await sent.arrayBuffer());
    return { paper: await addLotDocument(ctx, params.id, { fileName: sent.name, bytes }) };
  },
});

const getLotDocumentCall = operation({
  id: 'getLotPaper',
  method: 'GET',
  path: '/api/lots/{id}/papers/{paperId}',
  tag,
  summary: 'A document of a lot',
  description: 'PDFs are unchanged; pictures are re-encoded.',
  access: 'premium',
  params: documentParams,
  files: ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'],
  example: { params: { id: EXAMPLE_LOT.id, paperId: EXAMPLE_DOCUMENT.id } },
  async run(ctx, { params }) {
    const { bytes, contentType, fileName } = await readLotDocument(ctx, params.id, params.paperId);
    return new FileReply(contentType, fileName, () => Readable.from([bytes]));
  },
});

const deleteLotDocumentCall = operation({
  id: 'deleteLotPaper',
  method: 'DELETE',
  path: '/api/lots/{id}/papers/{paperId}',
  tag,
  summary: 'Delete a document of a lot',
  description: 'This cannot be undone. Its space is freed immediately.',
  access: 'premium',
  params: documentParams,
  response: z.object({}),
  example: { data: {} },
  async run(ctx, { params }) {
    await deleteLotDocument(ctx, params.id, params.paperId);
    return new Reply({}, { message: 'Document deleted' });
  },
});

export const lotOperations = [
  listLotsCall,
  addLotCall,
  getLotCall,
  changeLotCall,
  deleteLotCall,
  lotDosesCall,
  addLotDocumentCall,
  getLotDocumentCall,
  deleteLotDocumentCall,
];

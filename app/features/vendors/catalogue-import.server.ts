import { fieldError } from '#app/domain/errors.ts';
import { vialNameKey } from '#app/domain/vials/vial.ts';
import type { BadLine, Catalogue } from '#app/domain/vendors/vendor-schema.ts';
import { currencyCode } from '#app/domain/vendors/price-per-mg.ts';
import type { ProductRecord } from '#models/index.server.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { requireSwitchedOn } from '#app/platform/flags/flags.server.ts';
import { idFromKey } from '#app/platform/ids.server.ts';
import { readTextInThread } from '#app/platform/threads/reader-thread.server.ts';
import type { CatalogueReading } from './catalogue-table.server.ts';
import { MAX_PRODUCTS, requireRoom, getSupplier } from './suppliers.server.ts';
import { THROTTLE_RULES } from '#app/platform/access/throttle.server.ts';
import { repos } from './repositories.server.ts';

/** A supplier's catalogue: its text, or its web address. */
export interface CatalogueSource {
  text?: string;
  url?: string;
  /** The currency of lines without one; USD by default. */
  currency?: string;
}

/** The result of an import, or of its preview. */
export interface CatalogueOutcome {
  added: number;
  updated: number;
  unchanged: number;
  bad: BadLine[];
}

async function textOf(ctx: Ctx, { text, url }: CatalogueSource): Promise<string> {
  if (text !== undefined && text.trim() !== '') return text;
  if (url === undefined || url.trim() === '')
    throw fieldError('text', 'Paste a catalogue or enter its web address.');
  const { id } = authorisePremiumUser(ctx.actor, 'vendor.fetch-catalogue');
  await requireSwitchedOn(ctx, 'remote-catalogues');
  return ctx.remoteTexts.read(id, url.trim());
}

/** Products with the same name, form and amount are the same; an import updates the price. */
const sameProduct = ({ name, form, mgPerVial }: Pick<ProductRecord, 'name' | 'form' | 'mgPerVial'>): string =>
  [vialNameKey(name), form, Number(mgPerVial)].join('\n');

/**
 * Imports a supplier's catalogue. Invalid lines are reported and skipped; the others add a product or update the price of a
 * known one. Running it twice adds nothing twice.
 * @param dryRun only reports what would be done
 * @throws AppError PREMIUM_REQUIRED, NOT_FOUND, INVALID_INPUT, RATE_LIMITED, CONFLICT if there are too many
 */
export async function importCatalogue(
  ctx: Ctx,
  supplierId: string,
  source: CatalogueSource,
  dryRun: boolean,
): Promise<CatalogueOutcome & { text: string }> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  await getSupplier(ctx, supplierId);
  const currency = currencyCode(source.currency || 'USD');
  if (currency === null) throw fieldError('currency', 'Currency must be a three-letter code, such as USD');
  await ctx.throttle.take({ rule: THROTTLE_RULES.catalogueImport, who: user.id });
  const text = await textOf(ctx, source);
  const catalogue = await readTextInThread<Catalogue>('catalogue', {
    text,
    currency,
  } satisfies CatalogueReading);
  const known = new Map(
    (await repos(ctx).products.list(user.id, MAX_PRODUCTS, supplierId)).map((row) => [sameProduct(row), row]),
  );
  const outcome: CatalogueOutcome = { added: 0, updated: 0, unchanged: 0, bad: catalogue.bad };
  const now = ctx.now();
  const fresh = new Map(catalogue.rows.map((row) => [sameProduct(row), row]));
  const news = [...fresh.keys()].filter((key) => !known.has(key)).length;
  await requireRoom(ctx, user.id, news);
  for (const [key, { line: _line, ...row }] of fresh) {
    const old = known.get(key);
    if (old?.price === row.price && old.currency === row.currency) outcome.unchanged += 1;
    else if (old) {
      outcome.updated += 1;
      const changes = { price: row.price, currency: row.currency, pricedAt: now };
      if (!dryRun) await repos(ctx).products.update(user.id, old.id, changes);
    } else {
      outcome.added += 1;
      const id = idFromKey('prod', now, user.id, `${supplierId}\n${key}`);
      const product = { supplierId, ...row, nameKey: vialNameKey(row.name), createdAt: now, pricedAt: now };
      if (!dryRun) await repos(ctx).products.create({ _id: id, userId: user.id, ...product });
    }
  }
  return { ...outcome, text };
}

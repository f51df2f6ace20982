import { calendarDay } from '#app/domain/time/days.ts';
import { reorderSuggestions, type ReorderSuggestion } from '#app/domain/vendors/reorder.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { listProducts, type OfferedProduct } from './products.server.ts';
import { stockForecast } from '#app/features/vials/index.server.ts';

/** Orders on their way that are looked at. */
const MAX_OPEN = 200;

/**
 * What the signed-in user should order soon, each with the cheapest matching product of their suppliers.
 * @throws AppError PREMIUM_REQUIRED
 */
export async function suggestReorders(ctx: Ctx): Promise<ReorderSuggestion<OfferedProduct>[]> {
  const user = authorisePremiumUser(ctx.actor, 'vendor.manage');
  const [forecasts, products, orders] = await Promise.all([
    stockForecast(ctx, user.id),
    listProducts(ctx),
    ctx.repos.orders.listOpen(user.id, MAX_OPEN),
  ]);
  return reorderSuggestions(forecasts, products, orders, calendarDay(ctx.now(), user.timeZone));
}

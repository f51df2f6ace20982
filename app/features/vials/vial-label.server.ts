import { vialLabel, type VialLabelTexts } from '#app/domain/vials/vial-texts.ts';
import { drawQr, type QrDrawing } from '#app/integrations/qr.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';
import { getVial } from './vials.server.ts';

/**
 * The label of one of the signed-in user's vials, and a code that leads to its page.
 * @throws AppError UNAUTHENTICATED, NOT_FOUND
 */
export async function labelOfVial(ctx: Ctx, id: string): Promise<{ label: VialLabelTexts; qr: QrDrawing }> {
  const vial = await getVial(ctx, id);
  return { label: vialLabel(vial), qr: drawQr(new URL(`/dashboard/vials/${vial.id}`, ctx.appUrl).href) };
}

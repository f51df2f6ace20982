import { AppError, conflict } from '#app/domain/errors.ts';
import { parseInput } from '#app/domain/forms/fields.ts';
import {
  SIDE_EFFECT_MESSAGES,
  templateSchema,
  type TemplateInput,
} from '#app/domain/tracking/side-effect-schema.ts';
import { MAX_OWN_TEMPLATES, SIDE_EFFECT_TEMPLATES } from '#app/domain/tracking/side-effects.ts';
import { authorisePremiumUser } from '#app/platform/access/authorise.server.ts';
import type { Ctx } from '#app/platform/access/context.server.ts';

/** A template name for side effects. */
export interface SideEffectTemplate {
  name: string;
  /** Added by the user. */
  isOwn: boolean;
}

/** The built-in templates, then the signed-in user's own. @throws AppError PREMIUM_REQUIRED */
export async function listTemplates(ctx: Ctx): Promise<SideEffectTemplate[]> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { templates } = await ctx.repos.trackingChoices.find(user.id);
  return [
    ...SIDE_EFFECT_TEMPLATES.map((name) => ({ name, isOwn: false })),
    ...templates.map((name) => ({ name, isOwn: true })),
  ];
}

/** @throws AppError PREMIUM_REQUIRED, INVALID_INPUT, CONFLICT when it exists, or there are too many */
export async function addTemplate(ctx: Ctx, input: TemplateInput): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { name } = parseInput(templateSchema, input);
  const isThere = (await listTemplates(ctx)).some((known) => known.name.toLowerCase() === name.toLowerCase());
  if (isThere || !(await ctx.repos.trackingChoices.addTemplate(user.id, name, MAX_OWN_TEMPLATES)))
    throw conflict('ALREADY_EXISTS', SIDE_EFFECT_MESSAGES.templateThere);
}

/** Removes one of the signed-in user's own templates; side effects logged with it stay. @throws AppError PREMIUM_REQUIRED, NOT_FOUND */
export async function removeTemplate(ctx: Ctx, input: TemplateInput): Promise<void> {
  const user = authorisePremiumUser(ctx.actor, 'tracking.manage');
  const { name } = parseInput(templateSchema, input);
  if (!(await ctx.repos.trackingChoices.deleteTemplate(user.id, name)))
    throw new AppError('NOT_FOUND', SIDE_EFFECT_MESSAGES.noTemplate);
}

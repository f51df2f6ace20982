import * as z from 'zod';
import type { Component } from '#app/domain/calculator/calculation.ts';
import { readComponents, type AmountRule, type ComponentIssue } from '#app/domain/calculator/components.ts';
import { Decimal, plainText } from '#app/domain/decimal/decimal.ts';
import { MASS_UNITS, SUBSTANCE_AMOUNT_UNITS } from '#app/domain/units/quantity.ts';
import { MAX_VIAL_MG, VIAL_MESSAGES } from './vial-fields.ts';

/** A component's amount has the same limits as a vial's. */
const COMPONENT_AMOUNT: AmountRule = {
  units: MASS_UNITS,
  message: VIAL_MESSAGES.totalAmountRange,
  fits: (text: string) => new Decimal(text).gt(0) && new Decimal(text).lte(MAX_VIAL_MG),
};

/** In a vial, whose own field says what they are measured in, IU may be typed, too. */
export const VIAL_COMPONENT: AmountRule = { ...COMPONENT_AMOUNT, units: SUBSTANCE_AMOUNT_UNITS };

const isNothing = (sent: unknown): boolean =>
  sent === undefined ||
  sent === null ||
  (typeof sent === 'string' && sent.trim() === '') ||
  (Array.isArray(sent) && sent.length === 0);

/**
 * The components of a blend, as a list or as text from a file ("BPC-157:5;TB-500:5"). Absent, null, blank and empty all mean
 * that none were given.
 */
const listOf = (rule: AmountRule) =>
  z
    .unknown()
    .transform((sent, context) => (isNothing(sent) ? undefined : readSent(sent, rule, context)))
    .optional();

export const componentsField = listOf(COMPONENT_AMOUNT);
export const vialComponentsField = listOf(VIAL_COMPONENT);

/** Components in an update: null, blank and empty make it a single peptide; absent leaves it as it is. */
const changedListOf = (rule: AmountRule) =>
  z
    .unknown()
    .transform((sent, context) => {
      if (isNothing(sent)) return sent === undefined ? undefined : null;
      return readSent(sent, rule, context);
    })
    .optional();

export const changedComponentsField = changedListOf(COMPONENT_AMOUNT);
export const changedVialComponentsField = changedListOf(VIAL_COMPONENT);

/** Reads components that are not empty. */
function readSent(
  sent: unknown,
  rule: AmountRule,
  context: z.RefinementCtx,
): readonly Component[] | undefined {
  const issues: ComponentIssue[] = [];
  const components = readComponents(sent, rule, issues);
  for (const { message, path } of issues) context.addIssue({ code: 'custom', message, path });
  if (issues.length > 0) return z.NEVER;
  const plain = components.map(({ name, amount: text }) => ({ name, amount: plainText(text) }));
  return plain.length === 0 ? undefined : plain;
}

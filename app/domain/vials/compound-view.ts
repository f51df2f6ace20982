import { Decimal, fixedText, nearestDouble } from '#app/domain/decimal/decimal.ts';
import { strengthOf, contentsOf, leftTexts } from './contents.ts';
import { remainingOf, strengthText } from './vial-texts.ts';
import { amountFields, detailsOf } from './vial-fields.ts';
import { formOf, isFinal, isLow, measureOf, type Vial, beyondUseDay, isPastDate } from './vial.ts';

type Amounts = Record<keyof typeof amountFields, number | null>;

/** The details that are amounts, as numbers. */
const amountsOf = (vial: Vial): Amounts =>
  Object.fromEntries(
    (Object.keys(amountFields) as (keyof Amounts)[]).map((name) => {
      const text = vial[name];
      return [name, text === null ? null : Number(text)];
    }),
  ) as Amounts;

/**
 * A vial for the API and the terminal: amounts are numbers in its unit (mg or IU), ml, and per ml.
 * @param today in the owner's zone
 */
export function compoundView(vial: Vial, today: string) {
  const strength = strengthOf(vial);
  const { left, overdrawn } = remainingOf(vial);
  const lefts = leftTexts(vial);
  const { id, userId, name, status, openedAt, createdAt, updatedAt = createdAt } = vial;
  return {
    ...{ id, userId, name, status, openedAt, createdAt, updatedAt },
    ...detailsOf(vial),
    ...amountsOf(vial),
    form: formOf(vial),
    amountUnit: measureOf(vial),
    lotId: vial.lotId ?? null,
    concentration: strength === null ? null : nearestDouble(strength),
    concentrationText: strengthText(vial),
    totalAmount: Number(vial.totalAmount),
    components: contentsOf(vial).map(({ name: component, amount }, at) => {
      const own = strengthOf(vial, at);
      return {
        name: component,
        amount: Number(amount),
        remainingAmount: Number(remainingOf({ remaining: lefts[at] ?? '0' }).left),
        concentration: own === null ? null : nearestDouble(own),
        concentrationText: own === null ? null : fixedText(own, 2),
      };
    }),
    remainingAmount: Number(left),
    overdrawnAmount: Number(overdrawn ?? 0),
    amountMg: Number(vial.totalAmount),
    displacement: Number(vial.displacement),
    beyondUseDate: beyondUseDay(vial),
    isActive: !isFinal(vial),
    isExpired: isPastDate(vial, today),
    isLow: isLow(vial),
  };
}

type CompoundView = ReturnType<typeof compoundView>;

const textOf = (number: number): string => new Decimal(number).toFixed();

/**
 * The vial of a view: its amounts are text again, and what is missing from a blend is stated in its first component.
 * @param view as the API answers with it, whose instants are ISO texts
 */
export function vialOfView(
  view: Omit<CompoundView, 'openedAt' | 'createdAt' | 'updatedAt'> &
    Record<'createdAt', Date | string> & {
      openedAt: Date | string | null;
    },
): Vial {
  const amounts = Object.fromEntries(
    (Object.keys(amountFields) as (keyof Amounts)[]).map((name) => {
      const number = view[name];
      return [name, number === null ? null : textOf(number)];
    }),
  ) as Pick<Vial, keyof Amounts>;
  const balance = new Decimal(view.remainingAmount).minus(view.overdrawnAmount);
  const components = view.components.map(({ name, amount }, at) => ({
    ...{ name, amount: textOf(amount), foldedMg: '0' },
    changedMg: at === 0 ? balance.minus(amount).toFixed() : '0',
  }));
  return {
    ...detailsOf({ ...view, ...amounts }),
    ...{ id: view.id, userId: view.userId, name: view.name, status: view.status, lotId: view.lotId },
    totalAmount: textOf(view.totalAmount),
    remaining: balance.toFixed(),
    ...(components.length > 1 && { components }),
    displacement: textOf(view.displacement),
    openedAt: view.openedAt === null ? null : new Date(view.openedAt),
    createdAt: new Date(view.createdAt),
  };
}

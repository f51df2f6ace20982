import { fixedText, nearestDouble } from '#app/domain/decimal/decimal.ts';
import { strengthOf, contentsOf, leftTexts } from './contents.ts';
import { remainingOf, strengthText } from './vial-texts.ts';
import { detailsOf } from './vial-fields.ts';
import { isFinal, isLow, type Vial, beyondUseDay, isPastDate } from './vial.ts';

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text));

/**
 * A vial for the API and the terminal: amounts are numbers in mg, ml and mg/ml.
 * @param today in the owner's zone
 */
export function compoundView(vial: Vial, today: string) {
  const strength = strengthOf(vial);
  const { left, overdrawn } = remainingOf(vial);
  const lefts = leftTexts(vial);
  const { id, userId, name, status, reconstitutionDate, expirationDate, openedAt, createdAt } = vial;
  return {
    ...{ id, userId, name, status, reconstitutionDate, expirationDate, openedAt, createdAt },
    ...detailsOf(vial),
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
    waterMl: numberOrNull(vial.waterMl),
    displacement: Number(vial.displacement),
    beyondUseDate: beyondUseDay(vial),
    isActive: !isFinal(vial),
    isExpired: isPastDate(vial, today),
    isLow: isLow(vial),
    cost: numberOrNull(vial.cost),
  };
}

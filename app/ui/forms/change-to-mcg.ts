import type { MouseEvent } from 'react';
import { valuesInMcg, type AmountControls } from '#app/domain/units/meant-mcg.ts';

/**
 * Returns the handler of `McgQuestion`: changes the controls in the page, without sending the form, and moves the focus to
 * the amount, because the button disappears with the question.
 */
export const changeToMcg = (controls: AmountControls) => (event: MouseEvent<HTMLButtonElement>) => {
  const elements = event.currentTarget.form?.elements;
  const amount = elements?.namedItem(controls.amount);
  if (!(amount instanceof HTMLInputElement)) return;
  event.preventDefault();
  for (const [name, value] of valuesInMcg(amount.value, controls)) {
    const control = elements?.namedItem(name);
    if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) control.value = value;
  }
  amount.dispatchEvent(new InputEvent('input', { bubbles: true }));
  amount.focus();
};

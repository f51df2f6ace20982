/**
 * A figure as required by the list of error-prone dose notations of the Institute for Safe Medication Practices: no
 * trailing zeros ("2.5", not "2.50"), a zero before the point ("0.5", not ".5") and a thousands separator ("2,500").
 * @param text decimal text
 */
export function figureText(text: string): string {
  const [typed = '', decimals = ''] = text.split('.');
  const sign = typed.startsWith('-') ? '-' : '';
  const whole = typed.replace(/^-?0*(?=\d)/, '').replace('-', '') || '0';
  let end = decimals.length;
  while (decimals[end - 1] === '0') end -= 1;
  const fraction = decimals.slice(0, end);
  const groups: string[] = [];
  for (let at = whole.length; at > 0; at -= 3) groups.unshift(whole.slice(Math.max(0, at - 3), at));
  const grouped = sign + groups.join(',');
  return fraction === '' ? grouped : `${grouped}.${fraction}`;
}

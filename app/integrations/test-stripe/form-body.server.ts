/** The form body that Stripe's package sends: `a[b][0]=c` is `{ a: { b: { 0: 'c' } } }`. Every value is text. */
export interface FormBody {
  [name: string]: string | FormBody | undefined;
}

/** Parses a form-encoded body. Names such as `__proto__` get no special treatment. */
export function parseFormBody(text: string): FormBody {
  const root: FormBody = Object.create(null) as FormBody;
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]\[|\]/).filter((part) => part !== '');
    const last = path.pop();
    if (last === undefined) continue;
    let place = root;
    for (const part of path) {
      const next = place[part];
      place = typeof next === 'object' ? next : (place[part] = Object.create(null) as FormBody);
    }
    place[last] = value;
  }
  return root;
}

/** The text at a path; undefined if there is none. */
export function textAt(body: FormBody, ...path: string[]): string | undefined {
  let place: string | FormBody | undefined = body;
  for (const part of path) place = typeof place === 'object' ? place[part] : undefined;
  return typeof place === 'string' ? place : undefined;
}

/** A whole number at a path. */
export function numberAt(body: FormBody, ...path: string[]): number | undefined {
  const text = textAt(body, ...path);
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

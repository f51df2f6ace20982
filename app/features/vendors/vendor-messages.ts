import type { FieldErrors } from '#app/domain/errors.ts';

/** Every message of a form once: its fields have other names than the operation's. */
export function allMessages({ errors, formErrors }: { errors: FieldErrors; formErrors: string[] }): string[] {
  return [...new Set([...formErrors, ...Object.values(errors).flat()])];
}

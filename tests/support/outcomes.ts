import { isAppError, publicCode } from '#app/domain/errors.ts';

/**
 * The outcome of a call that may be refused: 'done', or the error code, or for a conflict its reason. Any
 * other error is rethrown.
 */
export const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: unknown) => {
      if (!isAppError(error)) throw error;
      return publicCode(error);
    },
  );

/** The messages of a refused call by field; none if it succeeded. */
export const fieldsOf = (call: Promise<unknown>): Promise<object> =>
  call.then(
    () => ({}),
    (error: { fields?: object }) => error.fields ?? {},
  );

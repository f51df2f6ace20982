import { isAppError, publicCode } from '#app/domain/errors.ts';

/**
 * How a call that may be refused ends: 'done', or the code that programs are told, of a conflict what it is about. Anything
 * else that is thrown is thrown on.
 */
export const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: unknown) => {
      if (!isAppError(error)) throw error;
      return publicCode(error);
    },
  );

/** The messages of a refused call by field; none when it was done. */
export const fieldsOf = (call: Promise<unknown>): Promise<object> =>
  call.then(
    () => ({}),
    (error: { fields?: object }) => error.fields ?? {},
  );

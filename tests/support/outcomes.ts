/** How a call that may be refused ends: 'done', or the code of its error. */
export const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

/** The messages of a refused call by field; none when it was done. */
export const fieldsOf = (call: Promise<unknown>): Promise<object> =>
  call.then(
    () => ({}),
    (error: { fields?: object }) => error.fields ?? {},
  );

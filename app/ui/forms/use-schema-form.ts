import { useForm, type DefaultValue, type SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import type * as z from 'zod';

interface Kept<Input> {
  /** The server's answer to what was sent last. */
  lastResult?: SubmissionResult<string[]> | null | undefined;
  defaultValue?: DefaultValue<Input> | undefined;
}

/**
 * A form that is held to its schema as it is sent, by the rules that the server goes by: the messages come without a
 * round trip, and go as the fields are mended. Without scripts it is a plain form.
 * @param id tells the forms of a page apart
 */
export function useSchemaForm<Input extends Record<string, unknown>, Output>(
  id: string,
  schema: z.ZodType<Output, Input>,
  { lastResult, defaultValue }: Kept<Input> = {},
) {
  return useForm<Input, Output>({
    id,
    lastResult,
    defaultNoValidate: true,
    shouldRevalidate: 'onInput',
    ...(defaultValue === undefined ? {} : { defaultValue }),
    onValidate: ({ formData }) => parseWithZod(formData, { schema }),
  });
}

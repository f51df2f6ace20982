import * as z from 'zod';
import { emailSchema } from '#app/domain/accounts/account-schema.ts';

/** The landing page's demo form. */
export const demoInterestSchema = z.object({ email: emailSchema });

export type DemoInterestInput = z.input<typeof demoInterestSchema>;

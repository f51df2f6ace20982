import { useMemo } from 'react';
import { Form, useNavigationType, type FormProps } from '@remix-run/react';
import { AddressContext } from './follows-address.ts';

/** A form that narrows, orders or dates what its page shows, as a GET of it. Its fields follow the address. */
export function FilterForm(props: Omit<FormProps, 'method'>) {
  const isHistory = useNavigationType() === 'POP';
  const address = useMemo(() => ({ isHistory }), [isHistory]);
  return (
    <AddressContext.Provider value={address}>
      <Form method="get" {...props} />
    </AddressContext.Provider>
  );
}

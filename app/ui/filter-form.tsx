import { useMemo, type ComponentProps } from 'react';
import { Form, useNavigationType, type FormProps } from '@remix-run/react';
import { AddressContext, Select } from './fields.tsx';

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

/** The order of a list, in a GET form with a button. With scripts the list follows as soon as an order is chosen. */
export function SortSelect(select: ComponentProps<typeof Select>) {
  return <Select {...select} onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()} />;
}

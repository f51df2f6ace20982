import { Button, LinkButton } from '#app/ui/button.tsx';

interface FinishFormProps {
  /** The page of the form. */
  address: string;
  /** Where the form is sent. */
  action: string;
  fields: readonly (readonly [name: string, value: string])[];
  /** What was typed, with readable names. */
  typed: readonly { name: string; value: string }[];
  isFileLost: boolean;
}

/**
 * Resends a form that was sent after its session had ended. It is a plain form, so that the form's own page answers and
 * shows any errors.
 */
export function FinishForm({ address, action, fields, typed, isFileLost }: FinishFormProps) {
  return (
    <form method="post" action={action} className="grid max-w-2xl gap-5">
      <p>
        You are signed in again. What you filled in is still here, but it is not saved yet. Passwords are
        never kept; if one is needed, you will be asked for it.
      </p>
      {isFileLost ? (
        <p>
          Files can’t be kept either. <a href={address}>Open the form</a> and choose yours again.
        </p>
      ) : null}
      <dl className="facts">
        {typed.map(({ name, value }, at) => (
          <div key={at}>
            <dt>{name}</dt>
            <dd className="break-words whitespace-pre-wrap">{value}</dd>
          </div>
        ))}
      </dl>
      {fields.map(([name, value], at) => (
        <input key={at} type="hidden" name={name} value={value} />
      ))}
      <div className="flex flex-wrap gap-3">
        <Button variant="primary">Finish saving</Button>
        <LinkButton to={address} reloadDocument>
          Don’t save
        </LinkButton>
      </div>
    </form>
  );
}

import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { SUPPLY_KIND_NAMES, supplyText } from '#app/domain/supplies/supply.ts';
import { calendarDay } from '#app/domain/time/zoned-time.ts';
import { SupplyList } from '#app/features/supplies/index.ts';
import { StockTabs } from '#app/features/vials/index.ts';
import { listSupplies } from '#app/features/supplies/index.server.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { PageTitle } from '#app/ui/page-head.tsx';

export const meta: MetaFunction = () => [{ title: 'Supplies – Vialbook' }];

export const loader = forUsers(async ({ ctx }) => {
  const day = calendarDay(ctx.now(), ctx.timeZone);
  const rows = (await listSupplies(ctx)).map((forecast) => {
    const { id, name, kind, perInjection } = forecast.supply;
    const { level } = forecast;
    return { id, name, kind: SUPPLY_KIND_NAMES[kind], level, text: supplyText(forecast, day), perInjection };
  });
  return { rows };
});

export default function Supplies() {
  const { rows } = useLoaderData<typeof loader>();
  const add = (
    <LinkButton variant="primary" to="/dashboard/supplies/new">
      Add supply
    </LinkButton>
  );
  return (
    <>
      <PageTitle actions={rows.length > 0 ? add : undefined}>Supplies</PageTitle>
      <StockTabs current="supplies" />
      <SupplyList rows={rows} />
    </>
  );
}

"use client";

import { api } from "@/components/api/client";
import { ActivationWizard } from "@/components/billing/payments/activation-wizard";
import { CustomerCell } from "@/components/billing/records/customer-cell";
import { SkeletonRows } from "@/components/ui/skeleton";
import { ChooseCustomer } from "./choose-customer";

export function ActivatePlan() {
  return (
    <ActivationWizard
      renderCustomerChooser={(onChoose) => <ChooseCustomer onChoose={onChoose} />}
      renderCustomer={(userId) => <CustomerById id={userId} />}
    />
  );
}

function CustomerById({ id }: { id: number }) {
  const users = api.administration.listUsers.useQuery({ query: { q: String(id) } });
  const user = users.data?.data.find((account) => account.id === id);
  return user ? <CustomerCell user={user} /> : <SkeletonRows rowCount={1} />;
}

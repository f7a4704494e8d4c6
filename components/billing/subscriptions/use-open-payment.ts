import type { Route } from "next";
import { useRouter } from "next/navigation";
import { getPaymentHref } from "./paths";

/** Opens the page with the payment details of a new order. */
export function useOpenPayment() {
  const router = useRouter();
  return (reference: string) => router.push(`${getPaymentHref(reference)}?ordered` as Route);
}

import { Ltr } from "@/components/ui/bidi";

/** Reference of the bank transfer, as the second line of a cell. */
export function ReferenceLine({ children }: { children: string }) {
  return (
    <span className="font-normal text-compact text-fg-muted">
      <Ltr mono>{children}</Ltr>
    </span>
  );
}

"use client";

import { useEffect, useState } from "react";
import { Ltr } from "@/components/ui/bidi";
import { formatPhone, loadPhoneLibrary } from "./phone";

/** A stored number in groups, as people write it. Plain until the phone library has loaded. */
export function PhoneNumber({ value }: { value: string }) {
  const [formatted, setFormatted] = useState<{ value: string; text: string }>();
  useEffect(() => {
    let isCurrent = true;
    loadPhoneLibrary().then(
      () => {
        if (isCurrent) setFormatted({ value, text: formatPhone(value) });
      },
      // The plain number stays.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [value]);
  return (
    <span className="whitespace-nowrap">
      <Ltr>{formatted?.value === value ? formatted.text : value}</Ltr>
    </span>
  );
}

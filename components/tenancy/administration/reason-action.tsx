"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { getPreloadProps, lazyPart } from "@/components/ui/lazy-part";
import type { ReasonFormProps } from "./reason-form";

const ReasonForm = lazyPart(() => import("./reason-form").then((file) => file.ReasonForm));

interface ReasonActionProps extends Omit<ReasonFormProps, "onCancel"> {
  text: string;
}

/** An action that needs a reason. Starts as a button, because a form would take the focus. */
export function ReasonAction({ text, onDone, ...action }: ReasonActionProps) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-compact text-fg-muted">{text}</p>
      {open ? (
        <ReasonForm
          {...action}
          onCancel={() => setOpen(false)}
          onDone={() => {
            setOpen(false);
            onDone();
          }}
        />
      ) : (
        <div>
          <Button {...getPreloadProps(ReasonForm)} onClick={() => setOpen(true)}>
            {action.label}
          </Button>
        </div>
      )}
    </div>
  );
}

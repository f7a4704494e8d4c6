"use client";

import { Select as Base } from "@base-ui/react/select";
import { clsx } from "clsx";
import { Check, ChevronsUpDown } from "lucide-react";
import { useTranslations } from "next-intl";
import type { Ref } from "react";
import { controlStyle } from "./control-style";
import { useFieldControl } from "./field-context";
import { NativeSelect } from "./native-select";
import type { SelectProps } from "./select-props";
import { useCoarsePointer } from "./use-coarse-pointer";

/** Select; native on touch devices. For two to four options prefer `RadioGroup`. */
export function Select<V extends string>(props: SelectProps<V>) {
  return useCoarsePointer() ? <NativeSelect {...props} /> : <ListSelect {...props} />;
}

function ListSelect<V extends string>({
  options,
  placeholder,
  size,
  ref,
  onBlur,
  onValueChange,
  disabled,
  ...props
}: SelectProps<V>) {
  const t = useTranslations("ui.popup");
  const fieldControl = useFieldControl({ disabled });
  return (
    <Base.Root
      items={options.map(({ value, label }) => ({ value, label }))}
      name={props.name}
      value={props.value}
      defaultValue={props.defaultValue}
      disabled={fieldControl.disabled}
      onValueChange={(value) => value !== null && onValueChange?.(value as V)}
    >
      <Base.Trigger
        ref={ref as Ref<HTMLButtonElement>}
        id={fieldControl.id}
        aria-label={props["aria-label"]}
        aria-describedby={fieldControl["aria-describedby"]}
        aria-invalid={fieldControl["aria-invalid"]}
        aria-required={fieldControl["aria-required"]}
        onBlur={onBlur}
        className={clsx(controlStyle({ size }), "flex items-center justify-between gap-2 text-start")}
      >
        <Base.Value placeholder={placeholder} className="min-w-0 truncate data-placeholder:text-fg-subtle" />
        <Base.Icon className="text-fg-muted">
          <ChevronsUpDown />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner
          role="region"
          aria-label={t("choices")}
          sideOffset={4}
          alignItemWithTrigger={false}
          className="layer-menu outline-none"
        >
          <Base.Popup className="popup-motion max-h-[min(var(--available-height),24rem)] min-w-(--anchor-width) overflow-y-auto rounded-card border border-border bg-raised p-1 shadow-2 outline-none">
            <Base.List>
              {options.map((option) => (
                <Base.Item
                  key={option.value}
                  value={option.value}
                  disabled={option.disabled}
                  className="flex min-h-control-small cursor-default select-none items-center gap-2 rounded-control px-2 py-1.5 text-sm outline-none data-disabled:text-fg-subtle data-highlighted:bg-primary-soft data-highlighted:text-primary-text"
                >
                  <span className="min-w-0 flex-1">
                    <Base.ItemText>{option.label}</Base.ItemText>
                    {option.hint ? (
                      <span className="block text-caption text-fg-muted">{option.hint}</span>
                    ) : null}
                  </span>
                  <Base.ItemIndicator className="text-primary-text">
                    <Check />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

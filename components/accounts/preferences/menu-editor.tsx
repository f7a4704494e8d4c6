"use client";

import { RotateCcw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { api, call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm } from "@/components/form/operation-form";
import { SaveBar } from "@/components/form/save-bar";
import { useStoredForm } from "@/components/form/use-stored-form";
import { buildMenu, type Viewer } from "@/components/navigation/menu";
import { MenuList } from "@/components/shell/menu-list";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { IconButton } from "@/components/ui/icon-button";
import { toast } from "@/components/ui/toast";
import { WithAside } from "@/components/ui/with-aside";
import type { Output } from "@/server/core/contract";
import type { getMenuLabels } from "@/server/domains/accounts/preferences/contract";
import { cleanMenuLabel, MAX_MENU_LABEL_LENGTH } from "@/server/domains/accounts/preferences/policy";

export interface MenuEditorProps {
  initial: Output<typeof getMenuLabels>;
  viewer: Viewer;
}

export function MenuEditor({ initial, viewer }: MenuEditorProps) {
  const t = useTranslations("menuSettings");
  const navigationText = useTranslations("navigation");
  const router = useRouter();
  const utils = api.useUtils();
  const { data } = api.preferences.getMenuLabels.useQuery(undefined, { initialData: initial });
  const { menu_labels_inherited: inheritedLabels } = data;
  const groups = buildMenu(viewer);
  const menuKeys = groups.flatMap(({ group, entries }) => [group, ...entries.map(({ key }) => key)]);
  const form = useStoredForm(() => import("./forms").then((file) => file.menuLabelsForm), {
    stored: initial.menu_labels,
    toFormValues: (ownLabels) => ({
      menu_labels: { ...Object.fromEntries(menuKeys.map((key) => [key, ""])), ...ownLabels },
    }),
    // Send only changes, so that concurrent changes are kept.
    submit: ({ menu_labels: typedLabels }, ownLabels) =>
      call.preferences.changeMenuLabels.mutate({
        body: {
          menu_labels: Object.fromEntries(
            Object.entries(typedLabels).filter(
              ([key, label]) => cleanMenuLabel(label ?? "") !== (ownLabels[key] ?? ""),
            ),
          ),
          expected: ownLabels,
        },
      }),
    showsSuccessToast: false,
    onSuccess: (result) => {
      utils.preferences.getMenuLabels.setData(undefined, result);
      form.replaceStoredValues(result.menu_labels);
      toast.success(t("saved"));
      router.refresh();
    },
    onStale: utils.preferences.getMenuLabels.invalidate,
  });
  const watchedLabels = form.watch("menu_labels");
  const keysOutsideMenu = Object.keys(watchedLabels).filter((key) => !(menuKeys as string[]).includes(key));
  const previewLabels = Object.fromEntries(
    menuKeys.flatMap((key) => {
      const label = cleanMenuLabel(watchedLabels[key] ?? "") || inheritedLabels[key];
      return label ? [[key, label]] : [];
    }),
  );
  const clearLabels = (keys: readonly string[]) => {
    for (const key of keys) form.setValue(`menu_labels.${key}`, "", { shouldDirty: true });
  };

  const renderRow = (key: string, entryName: string, fieldLabel = entryName) => (
    <div key={key} className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <FormField
          name={`menu_labels.${key}`}
          label={<bdi>{fieldLabel}</bdi>}
          hint={
            inheritedLabels[key]
              ? t.rich("inherited", {
                  label: inheritedLabels[key],
                  b: (text) => <bdi className="font-medium">{text}</bdi>,
                })
              : undefined
          }
          placeholder={inheritedLabels[key] ?? entryName}
          max={MAX_MENU_LABEL_LENGTH}
          optional
          autoComplete="off"
          dir="auto"
        />
      </div>
      <div className="mt-7">
        <IconButton
          label={t("resetOne", { name: fieldLabel })}
          icon={<RotateCcw />}
          disabled={!watchedLabels[key]}
          onClick={() => clearLabels([key])}
        />
      </div>
    </div>
  );

  return (
    <WithAside
      aside={
        <Card title={t("preview")} description={t("previewText")}>
          <div inert>
            <MenuList groups={groups} labels={previewLabels} variant="preview" />
          </div>
        </Card>
      }
    >
      <OperationForm form={form} label={t("title")}>
        {groups.map(({ group, entries }) => (
          <Card key={group} title={<bdi>{navigationText(group)}</bdi>}>
            <div className="flex flex-col gap-5">
              {renderRow(group, navigationText(group), t("heading", { name: navigationText(group) }))}
              {entries.map(({ key }) => renderRow(key, navigationText(key)))}
            </div>
          </Card>
        ))}
        {keysOutsideMenu.length > 0 ? (
          <Card title={t("others")} description={t("othersText")}>
            <div className="flex flex-col gap-5">{keysOutsideMenu.map((key) => renderRow(key, key))}</div>
          </Card>
        ) : null}
        <div>
          <Button onClick={() => clearLabels([...menuKeys, ...keysOutsideMenu])}>{t("resetAll")}</Button>
        </div>
        <SaveBar />
      </OperationForm>
    </WithAside>
  );
}

export { TabsSkeleton as default } from "@/components/shell/page-skeleton";

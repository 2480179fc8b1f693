export default function OverviewPage() {
	return <h1>概览</h1>;
}

import Widgets

/// The first line of a tile: what it is, which is nobody's secret.
struct WidgetHeader: View {
    let symbol: SymbolName
    let title: String
    let family: WidgetFamily

    var body: some View {
        HStack {
            Symbol(symbol, tint: .accent)
            Text(title).font(family.isAccessory ? .caption : .headline).bold()
            Spacer()
        }
        .unredacted()
    }
}

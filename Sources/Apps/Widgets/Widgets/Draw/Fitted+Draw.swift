extension Fitted {
    /// - Parameters:
    ///   - x: its left side, in points of the widget.
    ///   - y: its top.
    ///   - alignment: of lines of text below each other.
    func draw(x: Double, y: Double, _ alignment: Alignment, into items: inout [DrawItem]) {
        guard width > 0, height > 0 else { return }
        let box = DrawBox(x: x, y: y, width: width, height: height)
        let isDimmed = part.isDimmed
        switch part.content {
        case .text(let run):
            items.append(.text(run, box, lineLimit: lineLimit, alignment, isDimmed: isDimmed))
        case .picture(let picture):
            items.append(.picture(picture, box, radius: min(8, width / 6, height / 6), isDimmed: isDimmed))
        case .symbol(let name, let tint): items.append(.symbol(name, tint, box, isDimmed: isDimmed))
        case .ring(let thousandths, _):
            let line = max(3, (width / 9).rounded())
            items.append(.ring(box, lineWidth: line, thousandths: thousandths, isDimmed: isDimmed))
            drawChildren(x, y, .center, into: &items)
        case .bar(let thousandths): drawBar(box, thousandths, into: &items)
        case .toggle(let isOn): drawToggle(box, isOn, into: &items)
        case .textMask(let font):
            let high = (Double(font.size) * 0.8).rounded()
            let bar = DrawBox(x: x, y: y + (height - high) / 2, width: width, height: high)
            items.append(.fill(bar, radius: min(high / 2, 5), .mask, isDimmed: false))
        case .imageMask: items.append(.fill(box, radius: min(7, width / 4), .mask, isDimmed: false))
        case .blockMask: drawBlock(box, into: &items)
        case .divider: items.append(.fill(box, radius: 0, .divider, isDimmed: false))
        case .spacer: break
        case .stack(.horizontal, _, _, _): drawChildren(x, y, .leading, into: &items)
        case .stack(_, let alignment, _, _): drawChildren(x, y, alignment, into: &items)
        }
    }

    private func drawChildren(_ x: Double, _ y: Double, _ alignment: Alignment, into items: inout [DrawItem]) {
        for child in children { child.fitted.draw(x: x + child.x, y: y + child.y, alignment, into: &items) }
    }

    private func drawBar(_ box: DrawBox, _ thousandths: UInt16, into items: inout [DrawItem]) {
        let track = DrawBox(x: box.x, y: box.y + 1, width: box.width, height: 6)
        items.append(.fill(track, radius: 3, .track, isDimmed: part.isDimmed))
        guard thousandths > 0 else { return }
        var part = track
        // The least that still is a dot.
        part.width = max(6, track.width * Double(thousandths) / 1000)
        items.append(.fill(part, radius: 3, .tint(.accent), isDimmed: self.part.isDimmed))
    }

    private func drawToggle(_ box: DrawBox, _ isOn: Bool?, into items: inout [DrawItem]) {
        let ground: Paint = isOn == nil ? .track : isOn == true ? .tint(.accent) : .mask
        items.append(.fill(box, radius: 10, ground, isDimmed: part.isDimmed))
        // A hidden one stands in the middle: it says neither.
        let room = box.width - 20
        let x = isOn == nil ? room / 2 : isOn == true ? room : 0
        let knob = DrawBox(x: box.x + 2 + x, y: box.y + 2, width: 16, height: 16)
        items.append(.fill(knob, radius: 8, isOn == nil ? .mask : .knob, isDimmed: part.isDimmed))
    }

    private func drawBlock(_ box: DrawBox, into items: inout [DrawItem]) {
        var bar = DrawBox(x: box.x, y: box.y, width: box.width, height: min(12, box.height))
        if box.height >= 34 {
            bar.y += 3
            items.append(.fill(bar, radius: 5, .mask, isDimmed: false))
            bar.y += 18
            bar.width = (bar.width * 0.6).rounded()
        }
        items.append(.fill(bar, radius: 5, .mask, isDimmed: false))
    }
}

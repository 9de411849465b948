extension Widget {
    /// What its provider has from now on, archived for each size.
    ///
    /// - Parameter now: the time.
    /// - Throws: ``ProviderFailure``.
    public func archive(at now: Moment) throws(ProviderFailure) -> TimelineArchive {
        var dates: [Moment: [(family: WidgetFamily, view: Node)]] = [:]
        var policy = ReloadPolicy.never
        for family in configuration.families {
            let timeline = try provider.timeline(in: family, at: now)
            policy = policy.sooner(timeline.policy, end: timeline.entries.last?.date ?? now)
            for entry in timeline.entries {
                dates[entry.date, default: []].append((family: family, view: body(entry, in: family).node))
            }
        }
        guard !dates.isEmpty else { throw .empty }
        return TimelineArchive(dates.map { TimelineArchive.Entry(date: $0.key, views: $0.value) }, policy: policy)
    }

    /// What stands where nothing may be shown, or nothing is there yet.
    public func placeholder(in family: WidgetFamily) -> Node { body(provider.placeholder(in: family), in: family).node }
}

extension ReloadPolicy {
    /// Of two policies the one that asks earlier.
    ///
    /// - Parameter end: the date of the other's last entry.
    fileprivate func sooner(_ other: ReloadPolicy, end: Moment) -> ReloadPolicy {
        let moment: Moment
        switch other {
        case .never: return self
        case .atEnd: moment = end
        case .after(let time): moment = time
        }
        if case .after(let own) = self { return .after(min(own, moment)) }
        return .after(moment)
    }
}
